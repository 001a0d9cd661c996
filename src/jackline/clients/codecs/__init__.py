"""Codecs by the form of their answers, each written once: what a client sends becomes an Event, a Verdict its bytes.

No codec calls another. What sets clients of one form apart stands in their specs (`wire`).
"""

from __future__ import annotations

CODECS = ("nested", "both", "flat")
"""Each a module of that name."""
