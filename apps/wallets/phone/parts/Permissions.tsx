import { permissionsOf } from '../texts.ts'
import { Icon } from './Icon.tsx'

/** What the granted methods let an app do. */
export function Permissions({ methods }: { methods: readonly string[] }) {
  return (
    <ul className="group permissions">
      {permissionsOf(methods).map(({ icon, text }) => (
        <li key={text}>
          <Icon name={icon} />
          {text}
        </li>
      ))}
    </ul>
  )
}
