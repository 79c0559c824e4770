import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'

import type { EmbeddedClient } from '../../../connectors/embeddedWallet/createClient.ts'
import type { FrameCard } from '../../../connectors/embeddedWallet/createFrame.ts'
import { Style } from '../../parts/Style.tsx'
import { useRootProps } from '../../hooks/useRootProps.ts'
import { useText } from '../../hooks/useText.ts'
import { frameText } from '../../strings/frame.ts'
import css from '../../styles/embedded.css?inline'

/**
 * The box over which the secure frame is shown. The frame follows the box, even
 * while the card moves or shakes.
 *
 * @param props.hint - announced instead of the frame's content
 */
export function FrameBox(props: { client: EmbeddedClient | undefined; hint: string }) {
  const { client, hint } = props
  const { 'data-theme': mode } = useRootProps()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => client?.setTheme(mode), [client, mode])
  const title = useText(frameText)('frame.title')
  const height = useFrameCard(client)?.height
  useLayoutEffect(() => {
    let shown: DOMRect | undefined
    let request = 0
    const follow = () => {
      const { current } = box
      const rect = current?.getBoundingClientRect()
      if (current && rect && !isSame(rect, shown)) {
        shown = rect
        const radius = getComputedStyle(current).borderEndEndRadius
        client?.place({ ...toBox(rect), radius, title })
      }
      request = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(request)
  }, [client, title])
  useLayoutEffect(() => {
    client?.focus()
    return () => client?.place(undefined)
  }, [client])
  return (
    <>
      <Style css={css} />
      <div
        className="gf-frame"
        ref={box}
        style={height === undefined ? undefined : { '--gf-frame-height': `${height}px` }}
      >
        <p className="gf-hidden" role="status">
          {hint}
        </p>
      </div>
    </>
  )
}

/** What the frame shows; undefined if it shows nothing. */
export function useFrameCard(client: EmbeddedClient | undefined): FrameCard | undefined {
  return useSyncExternalStore(
    useCallback((listener) => client?.watchCard(listener) ?? (() => {}), [client]),
    () => client?.card(),
    () => undefined,
  )
}

function toBox({ left, top, width, height }: DOMRect) {
  return { left, top, width, height }
}

function isSame(a: DOMRect, b: DOMRect | undefined): boolean {
  return (
    b !== undefined &&
    a.left === b.left &&
    a.top === b.top &&
    a.width === b.width &&
    a.height === b.height
  )
}
