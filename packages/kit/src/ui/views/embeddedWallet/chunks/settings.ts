/** The lazy chunk of the settings of an embedded wallet. */
export { AccountSettings } from '../AccountSettings.tsx'
export {
  UpdateEmailPrimaryOtp,
  UpdateEmailSecondaryOtp,
  UpdateEmailWallet,
} from '../UpdateEmail.tsx'
