import { useInstance, useKitState } from '../../react/context.ts'
import type { Alert } from '../../core/notifications/alerts.ts'
import { check, close } from '../icons/base.ts'
import { shellText } from '../strings/shell.ts'
import { IconButton } from './IconButton.tsx'
import { Note } from './Note.tsx'
import { useText } from '../hooks/useText.ts'

const kinds = { info: 'info', success: 'good', warning: 'warn', error: 'bad' } as const

/** Alerts for the site's developer, shown only with `debug`; they are always logged. */
export function Alerts() {
  const alerts = useKitState((state) => state.alerts)
  return alerts.length === 0 ? null : (
    <div className="gf-alerts">
      {alerts.map((alert) => (
        <AlertBar key={alert.code} alert={alert} />
      ))}
    </div>
  )
}

function AlertBar({ alert }: { alert: Alert }) {
  const kit = useInstance()
  const t = useText(shellText)
  return (
    <Note
      kind={kinds[alert.level]}
      icon={alert.level === 'success' ? check : undefined}
      title={alert.message}
      role={alert.level === 'error' ? 'alert' : 'status'}
      end={
        <IconButton
          icon={close}
          label={t('shell.dismiss')}
          onClick={() => kit.dispatch({ type: 'alert.hidden', code: alert.code })}
        />
      }
    >
      {alert.hint}
    </Note>
  )
}
