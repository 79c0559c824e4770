/** Lifetime of a one-time code. @see docs/threats.md#one-time-codes */
export const codeSeconds = 5 * 60
/** How many times a one-time code may be entered. */
export const codeTries = 3
/** How long a page waits for the frame to be ready. @see spec §9.8.1 */
export const frameLoadMs = 20_000
/** How long a page waits for each step of a login. @see spec §9.8.1 */
export const frameLoginMs = 120_000
/** How long a page waits for the frame to sign out. @see spec §9.8.1 */
export const frameSignOutMs = 3_000
/**
 * Length above which the displayed name of a login is shortened. @see spec
 * §5.11.2
 */
export const loginNameLength = 30
/**
 * How long to wait before another code can be requested for an address. @see
 * spec §5.11.1
 */
export const codeResendSeconds = 30
/** Maximum number of codes that are mailed to one email address in an hour. */
export const codesPerHour = 5
/** Maximum number of codes that one client address requests in an hour. */
export const codesPerHourAndAddress = 20
/** How long a social login may take, from its start in the frame. @see docs/threats.md#social-logins */
export const socialLoginSeconds = 10 * 60
/**
 * How long a login with a passkey may take. The challenge expires, and the page
 * stops waiting, after this time.
 */
export const passkeyLoginSeconds = 5 * 60
/** Lifetime of the link that confirms a new device. */
export const deviceLinkSeconds = 10 * 60
/** How long `POST /api/login/device` and `POST /api/login/farcaster` wait for the confirmation. */
export const deviceWaitMs = 25_000
/** Lifetime of an access token. */
export const accessTokenSeconds = 10 * 60
/** Lifetime of a refresh token. */
export const refreshTokenSeconds = 7 * 24 * 60 * 60
/**
 * How long after a login shares can be released to a new device, and a recovery
 * key by the escrow store.
 */
export const freshLoginSeconds = 5 * 60
/** Maximum number of recoveries per user and day. */
export const recoveriesPerDay = 3
/** How long a page of the frame's origin can pass a recovery key to the frame. */
export const handoverSeconds = 10 * 60
/** How long an email change can be undone by the link in the mail to the old address. */
export const emailUndoSeconds = 24 * 60 * 60
/** How long the link in the notice of a new device can remove the device. */
export const deviceRemovalSeconds = 7 * 24 * 60 * 60
/** Maximum difference between the time in a proof (RFC 9449) and the server's clock. */
export const proofSkewSeconds = 5 * 60
/** Maximum size of a message from a page to the frame, in characters of its JSON. @see docs/threats.md#frame-messages */
export const frameMessageLength = 256 * 1024
/** Maximum nesting depth of a message from a page to the frame. */
export const frameMessageDepth = 20
/**
 * Maximum number of requests that wait for an approval, and of those that wait for a fee. Only one at a time is shown
 * or estimated.
 */
export const frameQueueLength = 10
/** How long the paymaster's signature of an operation is valid. */
export const sponsoredSeconds = 5 * 60
/** How long an approval must be fully visible before it can be approved. @see docs/threats.md#clickjacking */
export const approvalRestMs = 500
