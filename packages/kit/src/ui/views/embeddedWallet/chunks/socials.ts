/** The lazy chunk of the views of social logins. */
export { ConnectSocials } from '../ConnectSocials.tsx'
export { ConnectingSocial } from '../ConnectingSocial.tsx'
