import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'

type CommonProps = { kind?: 'accent' | 'ghost'; children: ReactNode; className?: string }
type BoxProps = CommonProps & { to?: undefined; href?: undefined } & Omit<
    ComponentProps<'div'>,
    keyof CommonProps
  >
type LinkProps = CommonProps & { target?: string } & (
    | { to: string; href?: undefined }
    | { href: string; to?: undefined }
  )

/**
 * A pill-shaped link. Renders a `div` if neither `to` nor `href` is given (spec §2.3).
 *
 * @param to - A path on this site, for client-side navigation.
 * @param href - Any other URL, or a path on this site to load as a new document.
 * @param target - Where the link opens, as in HTML.
 */
export function Pill(props: BoxProps | LinkProps) {
  const { kind = 'accent', children, className = '', ...rest } = props
  const pillProps = { className: `pill ${className}`.trim(), 'data-kind': kind }
  if (rest.to !== undefined) {
    const { to, target } = rest
    return (
      <Link {...pillProps} to={to} target={target} rel={relFor(target)}>
        {children}
      </Link>
    )
  }
  if (rest.href !== undefined) {
    const { href, target } = rest
    return (
      <a {...pillProps} href={href} target={target} rel={relFor(target)}>
        {children}
      </a>
    )
  }
  return (
    <div {...rest} {...pillProps}>
      {children}
    </div>
  )
}

/** Prevents new windows from accessing this page through `opener`. */
function relFor(target: string | undefined) {
  return target === '_blank' ? 'noopener' : undefined
}

/** A pill-shaped button. */
export function PillButton({
  kind = 'accent',
  className = '',
  ...props
}: CommonProps & ComponentProps<'button'>) {
  return <button type="button" {...props} className={`pill ${className}`.trim()} data-kind={kind} />
}
