import type { Query } from '@octavo/client'
import { useState } from 'preact/hooks'

interface QueryEditorProps {
  readonly query: Query | undefined
  readonly onApply: (query: Query | undefined) => void
  readonly onLeave: () => void
}

export function QueryEditor({ query = { type: 'empty' }, onApply, onLeave }: QueryEditorProps) {
  const [text, setText] = useState(JSON.stringify(query, undefined, 2))
  const [problem, setProblem] = useState<string>()
  const apply = (): void => {
    try {
      const next = JSON.parse(text) as Query
      onApply(next.type === 'empty' ? undefined : next)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onLeave()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply()
  }
  return (
    <div class="query">
      <textarea
        aria-label="The query as JSON"
        spellcheck={false}
        rows={Math.min(16, text.split('\n').length + 1)}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p>
        <button class="primary" onClick={apply}>
          Apply
        </button>{' '}
        <button class="plain" onClick={onLeave}>
          Cancel
        </button>{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          Which queries there are
        </a>
      </p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
