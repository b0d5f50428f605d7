import { useState } from 'preact/hooks'

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Browsers offer the clipboard in secure contexts only; where there is none, the text stays selectable beside the button. */
export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [said, setSaid] = useState<string>()
  const copy = async (): Promise<void> => {
    setSaid((await copyText(text)) ? 'Copied' : 'Not allowed here')
    setTimeout(() => setSaid(undefined), 1_500)
  }
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      {said ?? label}
    </button>
  )
}
