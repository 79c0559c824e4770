import { useEffect, useState } from 'react'

import type { SocialProvider } from '@gatefold/protocol/frame'

import type { KitInstance } from '../../../core/kit/Kit.ts'
import { goBack, reset } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import type { SocialLogin, SocialOutcome } from '../../../connectors/embeddedWallet/socialLogin.ts'
import { useInstance } from '../../../react/context.ts'
import { go, retry } from '../../icons/base.ts'
import { popup, socialIcons } from '../../icons/embedded.ts'
import { external } from '../../icons/guide.ts'
import { Button } from '../../parts/Button.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import type { FacingPagesState } from '../../parts/FacingPages.tsx'
import { Message } from '../../parts/Message.tsx'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { openLogin, socialLoginOf, trackOutcome } from './socials.ts'
import { socialNames } from './socialNames.ts'
import {
  codeOf,
  connectEmbedded,
  hasErrorText,
  loginErrorText,
  useEmbedded,
  useLoginAttempt,
} from './useEmbedded.ts'

const initiateFailed = 'Failed to initiate social connection'

type Status = SocialOutcome['type'] | 'open' | 'leaving' | 'declined'

const looks: Record<
  Status,
  { spread: FacingPagesState; text: Text; button?: keyof typeof embeddedText }
> = {
  open: { spread: 'wait', text: 'opening' },
  leaving: { spread: 'wait', text: 'leaving' },
  returned: { spread: 'bad', text: 'returned', button: 'embedded.tryAgain' },
  done: { spread: 'good', text: 'back' },
  blocked: { spread: 'late', text: 'blocked', button: 'embedded.openProvider' },
  closed: { spread: 'bad', text: 'closed', button: 'embedded.openAgain' },
  foreign: { spread: 'bad', text: 'foreign', button: 'embedded.tryAgain' },
  timedOut: { spread: 'late', text: 'timedOut', button: 'embedded.tryAgain' },
  declined: { spread: 'bad', text: 'declined', button: 'embedded.tryAgain' },
  failed: { spread: 'bad', text: 'notLoggedIn', button: 'embedded.tryAgain' },
}
type Text =
  | 'opening'
  | 'leaving'
  | 'returned'
  | 'back'
  | 'blocked'
  | 'closed'
  | 'foreign'
  | 'timedOut'
  | 'declined'
  | 'notLoggedIn'

/**
 * A login at a social provider. The click that opens this view also opens a
 * window, which is closed when the visitor leaves the view. If the browser does
 * not open a window, the page navigates to the provider and shows this view
 * again afterwards.
 *
 * @see docs/views.md#connectingsocial; spec §4.8
 */
export function ConnectingSocial({ data }: { data: ViewData['ConnectingSocial'] }) {
  const { provider, resultUri } = data
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const attempt = useLoginAttempt()
  const [login, setLogin] = useState(() =>
    resultUri === undefined ? socialLoginOf(kit) : finishedLogin(provider, resultUri),
  )
  const [outcome, setOutcome] = useState<SocialOutcome | undefined>(
    resultUri === undefined ? undefined : { type: 'done', uri: resultUri },
  )
  useEffect(() => {
    let isStale = false
    void login?.outcome.then(async (result) => {
      if (isStale) return
      setOutcome(result)
      if (result.type !== 'done') return trackFailure(kit, provider, result.type)
      await embedded.client.use(async (client) => client.keepSocial(login.provider, result.uri))
      await connectEmbedded(kit)
      trackOutcome(kit, provider, initiateFailed)
    })
    return () => {
      isStale = true
    }
  }, [kit, embedded, login, provider])
  // Not in every effect run, because React runs effects twice in development.
  useEffect(
    () => () => queueMicrotask(() => isLeft(kit, provider) && login?.cancel()),
    [kit, login, provider],
  )

  const failure =
    attempt?.status === 'failed'
      ? attempt.error
      : outcome?.type === 'failed'
        ? outcome.error
        : undefined
  const code = codeOf(failure)
  const status: Status =
    failure === undefined
      ? (outcome?.type ?? (login?.inTab ? 'leaving' : 'open'))
      : code === 'social_declined'
        ? 'declined'
        : code === 'frame.timeout'
          ? 'timedOut'
          : 'failed'
  const { spread, text, button } = looks[status]
  const name = socialNames[provider] ?? provider
  const { metadata } = kit.options
  const open = (inTab?: boolean) => {
    openLogin(kit, provider, inTab)
    setOutcome(undefined)
    setLogin(socialLoginOf(kit))
  }
  return (
    <div className="gf-body" data-status={status}>
      <FacingPages
        state={spread}
        from={{ name: metadata.name, src: metadata.icons[0] }}
        to={{ name, icon: socialIcons[provider]! }}
      />
      <Message
        key={spread}
        role={spread === 'bad' || spread === 'late' ? 'alert' : 'status'}
        title={t(`embedded.${text}`, { provider: name })}
      >
        {status === 'failed' && hasErrorText(failure)
          ? loginErrorText(failure, t)
          : t(`embedded.${text}Hint`, { provider: name })}
      </Message>
      {status === 'open' && (
        <Button icon={popup} onClick={() => login?.focus()}>
          {t('embedded.showWindow')}
        </Button>
      )}
      {status === 'done' && <Button busy>{t('embedded.moment')}</Button>}
      {button && (
        <>
          {status === 'blocked' && (
            <Button kind="primary" icon={go} onClick={() => open(true)}>
              {t('embedded.thisTab')}
            </Button>
          )}
          <Button
            kind={status === 'blocked' ? undefined : 'primary'}
            icon={status === 'blocked' ? external : status === 'closed' ? popup : retry}
            onClick={() => open()}
          >
            {t(button, { provider: name })}
          </Button>
          <Button kind="quiet" onClick={() => leave(kit)}>
            {t('embedded.anotherWay')}
          </Button>
        </>
      )}
    </div>
  )
}

/** Tracks why a provider did not log the visitor in. @see spec §8.3 */
function trackFailure(
  kit: KitInstance,
  provider: string,
  type: Exclude<SocialOutcome['type'], 'done'>,
): void {
  if (type === 'closed' || type === 'returned')
    kit.track({
      event: 'SOCIAL_LOGIN_CANCELED',
      properties: { provider, message: type === 'closed' ? 'Popup closed' : 'Returned too early' },
    })
  else kit.track({ event: 'SOCIAL_LOGIN_ERROR', properties: { provider, message: initiateFailed } })
}

/** Finishes a login after this tab has returned from the provider. */
function finishedLogin(provider: string, uri: string): SocialLogin {
  return {
    provider: provider as SocialProvider,
    outcome: Promise.resolve({ type: 'done', uri }),
    focus() {},
    cancel() {},
  }
}

/**
 * Shows the other connect methods. After the tab has returned from the
 * provider, the history has no earlier view.
 */
function leave(kit: KitInstance): void {
  if (kit.getState().view.history.length > 1) goBack(kit)
  else reset(kit, { name: 'Connect' })
}

/** Whether the visitor has left a provider's view. */
function isLeft(kit: KitInstance, provider: string): boolean {
  const { view } = kit.getState()
  const top = view.history.at(-1)
  return !(view.open && top?.name === 'ConnectingSocial' && top.data.provider === provider)
}
