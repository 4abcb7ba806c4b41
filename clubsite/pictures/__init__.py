"""Pictures of figures, drawn as SVG by templates: pure functions turn figures into points, and know of no game.

Lengths are in ems of the words around a picture, so that its words are as large as those of the page, of a phone, of
the hall board or of a sheet of paper.
"""
