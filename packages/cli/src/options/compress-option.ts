import { Option } from 'commander'

const choices = ['auto', 'gzip', 'zstd', 'none'] as const
export type CompressChoice = (typeof choices)[number]

export const compressOption = (what: 'sent' | 'received', automatic: string): Option =>
  new Option('--compress <HOW>', `how to compress what is ${what}; auto is ${automatic}`)
    .choices(choices)
    .default('auto')
