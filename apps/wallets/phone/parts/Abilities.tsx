import { abilities } from '../words.ts'
import { Icon } from './Icon.tsx'

/** What methods let an app do, in words. */
export function Abilities({ methods }: { methods: readonly string[] }) {
  return (
    <ul className="leaf abilities">
      {abilities(methods).map(({ icon, text }) => (
        <li key={text}>
          <Icon name={icon} />
          {text}
        </li>
      ))}
    </ul>
  )
}
