def fire(kiln, pieces):
    for degrees in range(20, 1_240, 120):
        kiln.heat(to=degrees)
    return [piece for piece in pieces if not piece.cracked]
