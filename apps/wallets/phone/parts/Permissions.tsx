import { permissionsOf } from '../texts.ts'
import { Icon } from './Icon.tsx'

/** The list of what an app may do with the granted methods. */
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
