/** The lazy chunk of the views that register a name. */
export { ChooseAccountName } from '../views/names/ChooseAccountName.tsx'
export { RegisterAccountName } from '../views/names/RegisterAccountName.tsx'
export {
  NoHeading,
  RegisterAccountNameSuccess,
} from '../views/names/RegisterAccountNameSuccess.tsx'
