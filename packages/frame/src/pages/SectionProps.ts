import type { FrameUser } from '@gatefold/protocol/frame'
import type { FrameConfig } from '../config.ts'
import type { CardContext } from '../recovery/RestoreCard.tsx'

/** Props of a section of the settings. */
export type SectionProps = {
  context: CardContext
  config: FrameConfig
  user: FrameUser
  reload: () => Promise<unknown>
}
