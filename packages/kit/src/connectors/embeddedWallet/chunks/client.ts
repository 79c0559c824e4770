/** The lazy chunk of the frame client, loaded to log in, or to restore a login. */
export { createClient } from '../createClient.ts'
