/** @jsxImportSource preact */
import type { CardKind, RecoveryMethod } from '@gatefold/protocol/frame'
import { render } from 'preact'
import type { Pending } from './approval/createApprovals.ts'
import { createApprovalWindow } from './approval/createApprovalWindow.ts'
import { canWatchVisibility } from './approval/watchVisibility.ts'
import type { ShownScreen } from './recovery/createScreens.ts'
import type { CardContext } from './recovery/RestoreCard.tsx'
import { markDocument, type Language } from './strings/language.ts'
import { LanguageContext } from './strings/useText.ts'
import './styles.css'

/** What the frame shows: the screen if there is one, otherwise the approval. */
export type Shown = {
  pending: Pending | undefined
  /** How many other requests are queued. */
  waiting: number
  screen: ShownScreen | undefined
}

/** Whether the cards can use passkeys. Loaded with the first of them. */
const permission = async () => ({
  maySeePasskeys: await (await import('./custody/passkeys.ts')).maySeePasskeys(),
})

const loadAlone = () => import('./recovery/AloneCard.tsx')

/** Creates the function that draws what the frame shows. Each card is loaded when it is first needed. */
export function createRenderer(
  root: Element,
  options: {
    context: CardContext
    methods: readonly RecoveryMethod[]
    language: () => Promise<Language>
    /** Loads the code that the cards start later. */
    prefetch: () => Promise<unknown>
  },
): (shown: Shown) => Promise<void> {
  const { context, methods } = options
  let latest: Shown | undefined
  /**
   * Preloads what a signature needs in case the server does not respond by
   * then.
   */
  async function prefetch() {
    if (await context.wallet.worksAlone()) await Promise.all([loadAlone(), options.prefetch()])
  }
  const approvalWindow = createApprovalWindow({
    window,
    origin: context.site,
    path: () =>
      `/approve?${new URLSearchParams({ projectId: context.projectId, locale: document.documentElement.lang })}`,
    onChange: () => void draw(latest!),
  })
  return draw

  async function draw(shown: Shown): Promise<void> {
    latest = shown
    // A screen must be completed in the frame itself.
    const { pending, waiting, screen } = shown
    approvalWindow.show(pending && !screen ? { pending: { ...pending }, waiting } : undefined)
    const [language, card] = await Promise.all([
      options.language(),
      shown.screen ? toScreen(shown.screen) : toApproval(shown),
    ])
    if (latest !== shown) return
    // Before the card, whose size is then reported together with it.
    const kind: CardKind = screen?.name ?? pending?.statement?.kind ?? pending?.kind ?? 'approval'
    root.setAttribute('data-kind', kind)
    markDocument(document, language)
    render(<LanguageContext.Provider value={language}>{card}</LanguageContext.Provider>, root)
  }

  async function toApproval({ pending, waiting }: Shown) {
    if (!pending) return null
    prefetch().catch(() => {})
    if (!canWatchVisibility()) {
      const { WindowCard } = await import('./approval/WindowCard.tsx')
      return (
        <WindowCard
          key={pending.id}
          pending={pending}
          waiting={waiting}
          site={context.site}
          approvalWindow={approvalWindow}
        />
      )
    }
    const { ApprovalCard } = await import('./approval/ApprovalCard.tsx')
    return (
      <ApprovalCard
        key={pending.id}
        pending={{ ...pending }}
        waiting={waiting}
        site={context.site}
      />
    )
  }

  async function toScreen(screen: ShownScreen) {
    const { done, cancel } = screen
    if (screen.name === 'restore') {
      const { RestoreCard } = await import('./recovery/RestoreCard.tsx')
      const { locked } = screen
      return <RestoreCard {...{ context, locked, ...(await permission()), done, cancel }} />
    }
    if (screen.name === 'confirm') {
      const { ConfirmCard } = await import('./recovery/ConfirmCard.tsx')
      const { user, origin } = screen
      return <ConfirmCard {...{ context, user, origin, done, cancel }} />
    }
    if (screen.name === 'passkey') {
      const { PasskeyCard } = await import('./recovery/PasskeyCard.tsx')
      const { origin } = screen
      return (
        <PasskeyCard {...{ context, origin, methods, ...(await permission()), done, cancel }} />
      )
    }
    if (screen.name === 'alone') {
      const { AloneCard } = await loadAlone()
      const { locked, onKey } = screen
      return <AloneCard {...{ context, locked, onKey, ...(await permission()), done, cancel }} />
    }
    if (screen.name === 'offer') {
      const { OfferCard } = await import('./recovery/OfferCard.tsx')
      return <OfferCard context={context} user={screen.user} done={done} />
    }
    const { ProtectCard } = await import('./recovery/ProtectCard.tsx')
    const { user } = screen
    return <ProtectCard {...{ context, user, methods, ...(await permission()), done, cancel }} />
  }
}
