"""Invented people, for simulated events and the demo. Nobody of these names is meant."""


def _split_names(listed: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in listed.split(","))


PARISH = _split_names("""
    Agnes Kowalczyk, Walter Brandt, Dolores Hanrahan, Eugene Lindqvist, Rosemary Vance, Bernard O’Shaughnessy,
    Lucille Fontaine, Harold Zielinski, Mildred Pruitt, Clarence Whitaker, Genevieve Dubois, Stanley Novak,
    Beverly Ostrander, Raymond Castellano, Irene Schumacher, Leroy Mackey, Margaret Mary Fitzgerald-Kowalski, Ted Yost,
    Jadwiga Wójcik, Alvin Roper, Theresa Núñez, Norbert Haas, Phyllis Underwood, Gordon Tvedt, Constance Abernathy,
    Ray Ito, Ernestine Broussard, Floyd Amundsen, Yolanda Peña, Marvin Gutknecht
""")
HARBOUR = _split_names("""
    Ailsa Farquharson, Desmond Okafor, Priya Raghunathan, Colin Thwaite, Bronwen Llewellyn, Sidney Marchbanks,
    Ngozi Adeyemi, Hettie Crabtree, Patrick Ó Súilleabháin, Olive Penhaligon, Trevor Swann, Zofia Łukasik,
    Dorothea Cholmondeley-Featherstone, Jim Pike, Renée Beaufort, Alasdair MacIver, Winifred Sparrow, Gurpreet Dhaliwal
""")
COUNTY = _split_names("""
    Abigail Thornbury, Adrián Bustamante, Alma Reinholt, Anders Solheim, Arlene Pickett, Beatrice Mwangi,
    Benedict Tarleton, Björn Halvorsen, Bonnie Stackhouse, Calvin Dupree, Carmen Villaseñor, Cecil Ravenscroft,
    Chiyo Nakagawa, Clement Arquette, Cora Winterbourne, Dale Huckabee, Daphne Koutsoukos, Delbert Sizemore,
    Dmitri Valenko, Edith Rasmussen, Elmer Gaffney, Esperanza Quiroga, Ettore Bianciardi, Faye Lockridge,
    Fergus Dunleavy, Françoise Marchetti, Geraldine Popp, Gustav Ekdahl, Hazel Birdsong, Hubert Vandermeulen,
    Ignatius Creel, Inez Tolliver, Ivan Hrdlička, Jeanette Applewhite, Joaquín Etxeberria, Jolene Sprague,
    Kazimierz Pawlak, Lars-Erik Nordström, Leona Fairweather, Lorraine Cusack, Magdalena Ossowska,
    Maximilian von Hohenwald-Reichert, Mei-Ling Tsai, Merle Stubblefield, Nadine Charbonneau, Ned Fox,
    Octavia Brightwater, Orville Sandquist, Pearl Jimenez, Quentin Ashgrove, Rosalind Teague, Siobhán Devereux,
    Thaddeus Merriweather, Ursula Grünwald, Vernon Lightfoot, Wilhelmina Stroud
""")
PEOPLE = PARISH + HARBOUR + COUNTY
