let context;
let repeat;
let source;
let current;

/**
 * Plays a tone, repeatedly if the tone loops; without a tone, stops the current tone. Browsers allow sound
 * only after a click or a key press. Resolves to the source: `recording` for the device's file, `stand-in`
 * for notes, `nothing` if there is no tone or if another call followed.
 */
export async function sound(tone) {
  current = tone;
  silence();
  if (!tone) return 'nothing';
  context ??= new AudioContext();
  void context.resume();
  const recording = await recordingOf(tone);
  // The tone might have changed while the recording was loading.
  if (current !== tone) return 'nothing';
  const again = () => {
    const ms = recording ? playRecording(recording) : playNotes();
    if (tone.loop) repeat = setTimeout(again, ms + (tone.interval ?? 0.4) * 1000);
  };
  again();
  return recording ? 'recording' : 'stand-in';
}

function silence() {
  clearTimeout(repeat);
  source?.stop();
  source = undefined;
}

async function recordingOf({ address }) {
  if (!address) return undefined;
  try {
    const answer = await fetch(address);
    return answer.ok ? await context.decodeAudioData(await answer.arrayBuffer()) : undefined;
  } catch {
    // The recording cannot be loaded or decoded.
    return undefined;
  }
}

function playRecording(buffer) {
  source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start();
  return buffer.duration * 1000;
}

/** The notes instead of a recording, each with frequency in hertz and duration in seconds. */
const notes = [
  [784, 0.3],
  [659, 0.3],
  [523, 0.6],
];

/** Plays notes instead of a recording. Returns the duration of the notes in milliseconds. */
function playNotes() {
  let at = context.currentTime;
  for (const [frequency, seconds] of notes) {
    const oscillator = new OscillatorNode(context, { frequency, type: 'triangle' });
    const gain = new GainNode(context, { gain: 0.15 });
    gain.gain.setTargetAtTime(0, at + seconds * 0.7, seconds * 0.1);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + seconds);
    at += seconds;
  }
  return (at - context.currentTime) * 1000;
}
