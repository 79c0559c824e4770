import { Icon } from './Icon.tsx'

/** The names of the requested methods, collapsed. */
export function Methods({ methods }: { methods: readonly string[] }) {
  if (!methods.length) return undefined
  return (
    <details className="methods">
      <summary>
        {methods.length === 1 ? 'Requested method' : `All ${methods.length} requested methods`}
        <Icon name="chevron" />
      </summary>
      <p>
        <bdi>{methods.join(' · ')}</bdi>
      </p>
    </details>
  )
}
