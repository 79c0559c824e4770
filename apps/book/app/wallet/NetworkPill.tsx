import { PillButton } from '../parts/Pill.tsx'

/** The current network; opens the network view. */
export function NetworkPill({ name, onOpen }: { name: string | undefined; onOpen: () => void }) {
  return (
    <PillButton
      kind="ghost"
      className="network"
      onClick={onOpen}
      aria-label={name ? `Network: ${name}` : 'Choose a network'}
    >
      <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
        <path d="m10 2.75 6.25 3.6v7.3L10 17.25l-6.25-3.6v-7.3z" />
        <path d="m10 6.25 3 4.1-3 1.8-3-1.8zM7.2 12.2 10 13.9l2.8-1.7" strokeWidth="1.1" />
      </svg>
      <span className="name">{name ?? 'Choose a network'}</span>
    </PillButton>
  )
}
