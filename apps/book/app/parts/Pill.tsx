import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'

type Look = { kind?: 'accent' | 'ghost'; children: ReactNode; className?: string }
type Boxed = Look & { to?: undefined; href?: undefined } & Omit<ComponentProps<'div'>, keyof Look>
type Linked = Look & { target?: string } & (
    | { to: string; href?: undefined }
    | { href: string; to?: undefined }
  )

/**
 * A small pill: a link where it is given somewhere to lead, otherwise a plain box (§2.3).
 *
 * @param to - A path inside the book, followed without loading a new document.
 * @param href - Any other address.
 * @param target - Where the link opens, as in HTML.
 */
export function Pill(props: Boxed | Linked) {
  const { kind = 'accent', children, className = '', ...rest } = props
  const look = { className: `pill ${className}`.trim(), 'data-kind': kind }
  if (rest.to !== undefined) {
    const { to, target } = rest
    return (
      <Link {...look} to={to} target={target} rel={relFor(target)}>
        {children}
      </Link>
    )
  }
  if (rest.href !== undefined) {
    const { href, target } = rest
    return (
      <a {...look} href={href} target={target} rel={relFor(target)}>
        {children}
      </a>
    )
  }
  return (
    <div {...rest} {...look}>
      {children}
    </div>
  )
}

/** A page opened in a new window gets no handle on this one. */
function relFor(target: string | undefined) {
  return target === '_blank' ? 'noopener' : undefined
}

/** The same shape as a button. */
export function PillButton({
  kind = 'accent',
  className = '',
  ...props
}: Look & ComponentProps<'button'>) {
  return <button type="button" {...props} className={`pill ${className}`.trim()} data-kind={kind} />
}
