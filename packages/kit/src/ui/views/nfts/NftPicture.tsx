import { useState } from 'react'

import type { Nft } from '../../../core/money/nfts.ts'
import { frame } from '../../icons/nfts.ts'
import { Picture } from '../../parts/Picture.tsx'
import { useText } from '../../hooks/useText.ts'
import { nftsText } from '../../strings/nfts.ts'

/** Widths in which the gateway serves a picture, in pixels. */
const widths = [256, 512]

/**
 * The picture of an NFT in a square: uncropped if `isLarge`, otherwise cropped.
 * If there is no picture or it fails to load, shows a drawn frame and, if
 * `isLarge`, the reason and a button to try again.
 */
export function NftPicture({ nft, isLarge = false }: { nft: Nft; isLarge?: boolean }) {
  const t = useText(nftsText)
  const [broken, setBroken] = useState<string>()
  const { image } = nft
  const isBroken = image !== undefined && image === broken
  return (
    <span className="gf-artwork gf-nft-picture" data-large={isLarge || undefined}>
      {image && !isBroken ? (
        <>
          <span className="gf-skeleton" />
          <Picture src={sized(image, isLarge ? 328 : 164)} onError={() => setBroken(image)} />
        </>
      ) : (
        <span className="gf-frame">
          <svg viewBox="0 0 72 72" aria-hidden>
            <path d={frame[0]} />
            <path d={frame[1]} />
          </svg>
          {isLarge && <span>{t(isBroken ? 'nfts.pictureFailed' : 'nfts.noPicture')}</span>}
          {isLarge && isBroken && (
            <button type="button" className="gf-link" onClick={() => setBroken(undefined)}>
              {t('nfts.tryAgain')}
            </button>
          )}
        </span>
      )}
    </span>
  )
}

/** The URL of a picture that is sharp at a width in CSS pixels. */
function sized(image: string, width: number): string {
  const url = new URL(image)
  const pixels = width * window.devicePixelRatio
  url.searchParams.set('size', String(widths.find((it) => it >= pixels) ?? widths.at(-1)))
  return url.href
}
