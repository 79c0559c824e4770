import { useState } from 'react'

import { useInstance } from '../../../react/context.ts'
import { Consent, LegalFooter, needsConsent } from '../../parts/Legal.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { inertRef } from '../../hooks/inertRef.ts'
import { WalletList } from '../../parts/WalletList.tsx'

/** The wallet list as a separate view, for `collapseWallets`. */
export function ConnectWallets() {
  const consent = needsConsent(useInstance())
  const [accepted, setAccepted] = useState(!consent)
  return (
    <div className="gf-body">
      {consent && <Consent accepted={accepted} onChange={setAccepted} />}
      <div className="gf-section" ref={inertRef(!accepted)}>
        <Scroll max={470}>
          <WalletList />
        </Scroll>
      </div>
      {!consent && <LegalFooter />}
    </div>
  )
}
