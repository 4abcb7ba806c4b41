"""`./dev scale`: what the pages of one club cost beside thousands of others, and how clubs' rows can be kept together.

`multiplied` makes thousands of clubs of the demo's, row by row in the database; `plans` opens the main pages and has
PostgreSQL explain each of their queries; `sizes` measures tables and tries one in partitions; `trial` does all of it,
and writes the tables of docs/scale.md.
"""
