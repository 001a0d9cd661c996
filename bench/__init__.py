"""Measure what an event costs: instructions over the whole process tree, and wall time paired with a bare start."""
