import { kitSurvivors } from './survivors/kit.ts'
import { protocolSurvivors } from './survivors/protocol.ts'
import { relaySurvivors } from './survivors/relay.ts'
import { relayDriversSurvivors } from './survivors/relayDrivers.ts'
import { relaySocketsSurvivors } from './survivors/relaySockets.ts'
import { serverSurvivors } from './survivors/server.ts'
import { signSurvivors } from './survivors/sign.ts'
import type { Survivor } from './survivors/Survivor.ts'

/** The mutants that no test detects, with the reasons. */
export const survivors: readonly Survivor[] = [
  ...protocolSurvivors,
  ...signSurvivors,
  ...serverSurvivors,
  ...relaySurvivors,
  ...relayDriversSurvivors,
  ...relaySocketsSurvivors,
  ...kitSurvivors,
]
