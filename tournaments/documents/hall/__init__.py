"""What a hall needs beside cards and lists: cards to travel with, names for places, tents for tables, certificates."""
