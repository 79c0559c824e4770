import type { Toast, ToastVariant } from '../../core/kit/state.ts'
import css from '../styles/toast.css?inline'
import { check, info, spin, warn } from '../icons/base.ts'
import { Icon } from './Icon.tsx'
import { Style } from './Style.tsx'

const looks: Record<ToastVariant, { icon: string; kind?: 'good' | 'bad' }> = {
  info: { icon: info },
  success: { icon: check, kind: 'good' },
  error: { icon: warn, kind: 'bad' },
  loading: { icon: spin },
}

/** The visible part of a toast. The live regions of `Toast` announce its text to screen readers. */
export function ToastMessage(props: { toast: Toast; text: string; exiting: boolean }) {
  const { icon, kind } = looks[props.toast.variant]
  return (
    <>
      <Style css={css} />
      <div
        className="gf-toast"
        key={props.toast.id}
        data-ending-style={props.exiting ? '' : undefined}
        aria-hidden
      >
        <span className="gf-badge" data-kind={kind}>
          <Icon d={icon} spin={props.toast.variant === 'loading'} />
        </span>
        {props.text}
      </div>
    </>
  )
}
