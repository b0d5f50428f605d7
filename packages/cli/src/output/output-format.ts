import { Option } from 'commander'

const outputFormats = ['yaml', 'json'] as const
export type OutputFormat = (typeof outputFormats)[number]

export const outputFormatOption = (sentence: string): Option =>
  new Option('-o, --output <FORMAT>', sentence).choices(outputFormats)
