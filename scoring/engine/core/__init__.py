"""What every game family is built on: codes, rule sets, facts, totals."""
