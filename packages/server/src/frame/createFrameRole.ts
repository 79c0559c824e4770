import { createPreflight } from '../http/cors.ts'
import type { Role } from '../http/Role.ts'
import { frameAnswers } from './answers.ts'

export const framePaths: readonly string[] = []

/** The server of the secure frame. @see docs/contracts/frame-api.md */
export function createFrameRole(): Role {
  return {
    routes: {},
    answers: frameAnswers,
    // No page of another origin may send requests, so that a preflight allows nothing.
    preflight: createPreflight({ headers: frameAnswers.headers, methods: '' }),
    close() {},
  }
}
