"""Starting the site: the command `nine-tables`, which `./dev run` runs too."""
