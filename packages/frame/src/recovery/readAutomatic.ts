import type { FrameUser, MethodsResponse } from '@gatefold/protocol/frame'
import { base64urlnopad } from '@scure/base'
import type { Api } from '../api/createApi.ts'
import type { RecoveryKey } from '../custody/wraps.ts'

/** The recovery key of a wallet with automatic recovery. The server releases it only after a login. */
export async function readAutomatic(options: {
  api: Api
  user: FrameUser
  methods: MethodsResponse
}): Promise<RecoveryKey> {
  const { api, user, methods } = options
  const { recoveryKey } = await api.send('wallet/escrow', {})
  const bytes = new Uint8Array(base64urlnopad.decode(recoveryKey))
  return { id: methods.recoveryId, userId: user.id, bytes }
}
