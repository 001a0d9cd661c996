"""One file a stage of the run; `runtime/pipeline.py` has their table."""
