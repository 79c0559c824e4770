import { createAlert } from './alerts.ts'
import type { AlertCode } from './alerts.ts'
import type { KitInstance } from '../kit/Kit.ts'

/** Logs an alert, and shows it in the modal with `debug`. @see spec §8.8 */
export function showAlert(
  kit: KitInstance,
  code: AlertCode,
  values?: Record<string, string>,
): void {
  const { options } = kit
  const { gateway, relay = '' } = options.endpoints
  const alert = createAlert(code, {
    projectId: options.projectId ?? 'default',
    url: options.metadata.url,
    server: gateway ?? relay,
    relay,
    origin: typeof window === 'undefined' ? '' : window.location.origin,
    ...values,
  })
  const log = alert.level === 'error' ? 'error' : alert.level === 'warning' ? 'warn' : 'info'
  console[log](`Gatefold: ${alert.message}. ${alert.hint}`)
  if (options.debug) kit.dispatch({ type: 'alert.shown', alert })
}
