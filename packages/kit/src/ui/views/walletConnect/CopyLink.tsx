import { copy as copyIcon } from '../../icons/account.ts'
import { check } from '../../icons/base.ts'
import { Button } from '../../parts/Button.tsx'
import { useCopy } from '../../hooks/useCopy.ts'
import { useText } from '../../hooks/useText.ts'
import { walletConnectText } from '../../strings/walletConnect.ts'

/** Copies the URI and confirms it, visibly and to screen readers. */
export function CopyLink({ uri, kind }: { uri: string | undefined; kind?: 'quiet' }) {
  const t = useText(walletConnectText)
  const { copied, copy } = useCopy(t('walletConnect.copyFailed'))
  return (
    <>
      <Button
        {...(kind && { kind })}
        icon={copied ? check : copyIcon}
        disabled={!uri}
        onClick={() => uri && copy(uri)}
      >
        {t(copied ? 'walletConnect.copied' : 'walletConnect.copy')}
      </Button>
      <p className="gf-hidden" role="status">
        {copied && t('walletConnect.copied')}
      </p>
    </>
  )
}
