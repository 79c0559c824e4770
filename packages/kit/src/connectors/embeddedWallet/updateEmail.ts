import { isConnectedBy } from '../../core/connection/account.ts'
import { instanceOf } from '../../core/kit/Kit.ts'
import type { Kit } from '../../core/kit/Kit.ts'
import { ModalClosedError, OptionsError } from '../../core/kit/kitErrors.ts'
import { NotConnectedError } from '../../core/kit/requestErrors.ts'
import { embeddedOf } from './embedded.ts'
import { embeddedId } from './id.ts'

/**
 * Opens the view in which the visitor changes the email address of the embedded wallet.
 *
 * @returns the new address
 * @throws {OptionsError} the site has no embedded wallet
 * @throws {NotConnectedError} the embedded wallet is not connected
 * @throws {ModalClosedError} the modal was closed before the address was changed
 * @example const email = await updateEmail(kit)
 */
export async function updateEmail(kit: Kit): Promise<string> {
  const instance = instanceOf(kit)
  const connector = embeddedOf(instance)
  if (!connector)
    throw new OptionsError('No auth connector found', {
      code: 'embedded.no_connector',
      metaMessages: ['Pass connectors: [embedded()] and endpoints.frame to createGatefold.'],
    })
  if (!isConnectedBy(instance.getState(), embeddedId))
    throw new NotConnectedError('Not connected to email or social')
  const email = () => connector.client.current()?.email()
  const before = email()
  return new Promise((resolve, reject) => {
    const stop = instance.subscribe(() => {
      const after = email()
      if (!after || after === before) return
      stop()
      resolve(after)
    })
    const closed = () => {
      stop()
      reject(new ModalClosedError())
    }
    instance.open({ view: 'UpdateEmailWallet' }).then(closed, closed)
  })
}
