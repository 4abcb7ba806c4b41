"""Spanish as in Mexico, under the code of Latin America: Django has words of its own for es_MX."""
