const ar: Record<string, string> = {}
export default ar
