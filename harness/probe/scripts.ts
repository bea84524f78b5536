import { fromJs, type Json } from '../json/value.ts';
import type { Say } from '../teleprompter/script.ts';

/** A scripted reply whose answer shows something of the server's parsers. */
export interface Script {
  name: 'call' | 'tight call' | 'XML call' | 'no tags' | 'text before the tag' | 'special token';
  tools: boolean;
  say: Say;
}

const tool = (name: string, parameter: string): Json =>
  fromJs({
    type: 'function',
    function: {
      name,
      description: 'Asked by a script.',
      parameters: {
        type: 'object',
        properties: { [parameter]: { type: 'string' } },
        required: [parameter],
      },
    },
  });

/** The tools that scripted replies call: names that this project's codebook has tokens for, as JSON and as tags. */
export const TOOLS: Json[] = [tool('get_weather', 'city'), tool('find_train', 'from')];

const CALL = '{"name": "get_weather", "arguments": {"city": "Zürich"}}';
const XML = '<function=find_train>\n<parameter=from>\nZürich\n</parameter>\n</function>';
const THOUGHT = '<think>\nTen.\n</think>\n\n';
/** `<|im_start|>`: a special token that ends no turn. */
const SPECIAL = 151644;

/** The first one also shows whether the model is the scripted one at all. */
export const SCRIPTS: readonly Script[] = [
  { name: 'call', tools: true, say: `${THOUGHT}<tool_call>\n${CALL}\n</tool_call>` },
  { name: 'tight call', tools: true, say: `${THOUGHT}<tool_call>${CALL}</tool_call>` },
  { name: 'XML call', tools: true, say: `${THOUGHT}<tool_call>\n${XML}\n</tool_call>` },
  { name: 'no tags', tools: false, say: 'It is 10 degrees.' },
  { name: 'text before the tag', tools: false, say: `It is ${THOUGHT}It is 10 degrees.` },
  { name: 'special token', tools: false, say: [`${THOUGHT}With `, { ids: [SPECIAL] }, '.'] },
];
