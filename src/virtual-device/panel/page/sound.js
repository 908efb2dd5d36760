/** Notes that stand for a tone: frequency in hertz and seconds, by what the file's name says. */
function notesOf(name) {
  if (/bell/i.test(name))
    return [
      [1320, 0.18],
      [1100, 0.18],
      [1320, 0.18],
      [1100, 0.4],
    ];
  if (/chime|notif|gong/i.test(name))
    return [
      [784, 0.3],
      [659, 0.3],
      [523, 0.6],
    ];
  if (/warble|dogs/i.test(name))
    return [
      [700, 0.15],
      [900, 0.15],
      [700, 0.15],
      [900, 0.15],
    ];
  if (/buzzer/i.test(name)) return [[180, 0.8]];
  if (/1kHz/i.test(name)) return [[1000, 1]];
  return [
    [523, 0.2],
    [659, 0.2],
    [784, 0.4],
  ];
}

let context;
let repeat;

function playOnce(name) {
  let at = context.currentTime;
  for (const [frequency, seconds] of notesOf(name)) {
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

/** Lets the tone be heard, again and again where it loops; none ends it. Browsers allow it after a click. */
export function sound(tone) {
  clearTimeout(repeat);
  if (!tone) return;
  context ??= new AudioContext();
  void context.resume();
  const again = () => {
    const ms = playOnce(tone.path);
    if (tone.loop) repeat = setTimeout(again, ms + (tone.interval ?? 0.4) * 1000);
  };
  again();
}
