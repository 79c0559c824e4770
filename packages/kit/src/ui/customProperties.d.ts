import 'react'

declare module 'react' {
  /** CSS custom properties can be set in `style`. */
  interface CSSProperties extends Record<`--${string}`, string | number | undefined> {}
}
