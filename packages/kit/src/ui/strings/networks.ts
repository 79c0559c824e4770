/** Texts of Networks, SwitchNetwork, SwitchActiveChain, UnsupportedChain and WhatIsANetwork. */
export const networksText = {} as const
