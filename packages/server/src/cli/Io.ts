/** The environment and the output of a command. */
export type Io = { env: Record<string, string | undefined>; print: (text: string) => void }
