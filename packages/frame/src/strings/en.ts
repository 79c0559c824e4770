import { approvalText } from './approval.ts'
import { frameText } from './frame.ts'
import { loginText } from './login.ts'
import { problemText } from './problems.ts'
import { recoveryText } from './recovery.ts'
import { settingsText } from './settings.ts'
import { solanaText } from './solana.ts'
import { windowText } from './window.ts'

/** All strings in English, by key. A translation has to define every key. */
export const en = {
  ...frameText,
  ...approvalText,
  ...windowText,
  ...solanaText,
  ...recoveryText,
  ...loginText,
  ...problemText,
  ...settingsText,
} as const

export type Messages = Record<keyof typeof en, string>
