"""Measurements of the program's speed and of its draws' quality, and screenshots of its pages, on a demo of their
own."""
