"""The fair deal: seeds fixed before anyone sits down, packs and lots drawn from them, and commitments to every card."""
