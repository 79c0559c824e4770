const de: Record<string, string> = {}
export default de
