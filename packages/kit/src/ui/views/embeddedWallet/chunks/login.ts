/** The lazy chunk of the views of a login by email. Preloaded while the visitor types the address. */
export { EmailLogin } from '../EmailLogin.tsx'
export { EmailVerifyDevice } from '../EmailVerifyDevice.tsx'
export { EmailVerifyOtp } from '../EmailVerifyOtp.tsx'
