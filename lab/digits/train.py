"""Trains the network that reads boxes, from a file of digits and boxes made of them; only this needs torch.

    python -m lab.digits.train handwritten_digits.npz --minutes 60 --seed 1 --out tournaments/photos/ink.npz

Digits from 8,000 on are left for measuring. What is needed to go on is written beside the weights (`--start`). Those
that are shipped took 57 minutes and 540,000 boxes, in five runs one upon another while `boxes` got better, on two
cores that others used too."""

import argparse
import math
import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from lab.digits.boxes import Glyphs, cut_glyphs, draw_signs, make_random_box
from tournaments.photos.ink import BLANK, COLUMN, LAYERS, SIGNS, STRUCK, prepare_box, stack_boxes

TRAINED = 8000  # digits of the file
BATCH, GROUP, POOL = 64, 4, 24_000


class Batch(NamedTuple):
    images: NDArray[np.uint8]
    texts: list[str]
    struck: NDArray[np.float32]
    columns: NDArray[np.int64]  # which sign stands there


class Example(NamedTuple):
    image: NDArray[np.uint8]
    text: str
    struck: bool
    columns: list[int]


def example(random: np.random.Generator, *, hard: float, figures: Glyphs) -> Example:
    box = make_random_box(random, figures, hard=hard, coarsely=0.4)
    ink, left, step = prepare_box(box.picture)
    columns = [BLANK] * (ink.shape[2] // COLUMN)
    for sign, start, end in box.signs:
        middle, half = (start + end) / 2, max(0.3 * (end - start), 0.5 * COLUMN * step)
        for at in range(len(columns)):
            if abs(left + (at + 0.5) * COLUMN * step - middle) <= half:
                columns[at] = SIGNS.index(sign)
    return Example((ink * 255).round().astype(np.uint8), box.text, box.struck, columns)


def batches(file: Path, seed: int) -> Iterator[Batch]:
    """Each box is used three times: at once, and with others of long ago. Boxes of like width go together."""
    random = np.random.default_rng(seed)
    with np.load(file) as stored:
        figures = cut_glyphs(stored["images"][:TRAINED], stored["labels"][:TRAINED])
    for sign, more in draw_signs(random, SIGNS.replace("-", "")).items():
        figures[sign] = figures.get(sign, []) + more
    pool: list[Example] = []
    while True:
        new = [example(random, hard=random.uniform(0.2, 1), figures=figures) for _ in range(BATCH * GROUP // 3)]
        old = [pool[at] for at in random.permutation(len(pool))[: BATCH * GROUP - len(new)]]
        pool = (pool + new)[-POOL:]
        some = sorted(new + old, key=lambda one: one.image.shape[2])
        for start in random.permutation(range(0, len(some), BATCH)):
            part = some[start : start + BATCH]
            images = stack_boxes([one.image for one in part])
            columns = np.full((len(part), images.shape[3] // COLUMN), BLANK)
            for row, one in zip(columns, part, strict=True):
                row[: len(one.columns)] = one.columns
            struck = np.array([one.struck for one in part], np.float32)
            yield Batch(images, [one.text for one in part], struck, columns)


def _queue_batches(queue: "multiprocessing.Queue[Batch]", file: Path, seed: int) -> None:
    for batch in batches(file, seed):
        queue.put(batch)


class Network(nn.Module):
    """What `ink.run_network` computes, with batch norms not yet folded in, and a second judgement for training only."""

    def __init__(self) -> None:
        super().__init__()
        sizes = [2, *(layer.channels for layer in LAYERS)]
        self.layers = nn.ModuleList(
            nn.Conv2d(before, layer.channels, layer.kernel, layer.stride, layer.padding, bias=layer is LAYERS[-1])
            for before, layer in zip(sizes, LAYERS, strict=False)
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(layer.channels) for layer in LAYERS[:-1])
        self.columns = nn.Conv2d(LAYERS[-2].channels, BLANK + 1, 1)

    def forward(self, now: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        kept = now
        for layer, convolution, norm in zip(LAYERS, self.layers, self.norms, strict=False):
            kept = now if layer.keeps else kept
            now = norm(convolution(now))
            now = functional.relu(now + kept if layer.adds else now, inplace=True)
        now = functional.dropout(now, 0.1, self.training)
        return self.layers[-1](now)[:, :, 0], self.columns(now)[:, :, 0]


def training_loss(network: nn.Module, batch: Batch) -> torch.Tensor:
    images = torch.from_numpy(batch.images).to(memory_format=torch.channels_last).float() / 255
    judged, columns = network(images)
    signs = functional.log_softmax(judged[:, :STRUCK], 1).permute(2, 0, 1)
    lengths = torch.tensor([len(text) for text in batch.texts])
    target = torch.tensor([SIGNS.index(sign) for text in batch.texts for sign in text], dtype=torch.long)
    widths = torch.full((len(batch.texts),), signs.shape[0])
    read = functional.ctc_loss(signs, target, widths, lengths, BLANK, "sum", zero_infinity=True) / len(batch.texts)
    placed = functional.cross_entropy(columns, torch.from_numpy(batch.columns))
    struck = functional.binary_cross_entropy_with_logits(judged[:, STRUCK].amax(1), torch.from_numpy(batch.struck))
    return read + 2 * placed + 0.3 * struck


def save(network: Network, file: Path) -> None:
    """Weights as `ink` reads them: batch norms folded in, eight bits each and a scale a channel."""
    stored: dict[str, Any] = {}
    for at, convolution in enumerate(network.layers):
        weights = convolution.weight.detach().permute(2, 3, 1, 0).reshape(-1, convolution.out_channels).numpy()
        if at < len(network.norms):
            norm = network.norms[at]
            by = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach().numpy()
            weights, bias = weights * by, norm.bias.detach().numpy() - norm.running_mean.numpy() * by
        else:
            bias = convolution.bias.detach().numpy()
        scale = np.maximum(np.abs(weights).max(0), 1e-6) / 127
        stored[f"weights{at}"] = np.round(weights / scale).astype(np.int8)
        stored[f"scale{at}"], stored[f"bias{at}"] = scale.astype(np.float32), bias.astype(np.float32)
    np.savez_compressed(file, **stored)


def train(file: Path, out: Path, *, minutes: float, seed: int, start: Path | None, rate: float) -> None:
    torch.manual_seed(seed)
    network = Network()
    if start:
        network.load_state_dict(torch.load(start))
    network = network.to(memory_format=torch.channels_last)
    average = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(0.999), use_buffers=True)
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.02)
    queue: multiprocessing.Queue[Batch] = multiprocessing.Queue(8)
    multiprocessing.Process(target=_queue_batches, args=(queue, file, seed), daemon=True).start()
    began, written, losses, boxes = time.monotonic(), 0, 0.0, 0
    while (done := (time.monotonic() - began) / 60 / minutes) < 1:
        now = rate * min(done * minutes / 0.5 + 0.02, 1) * (0.5 + 0.5 * math.cos(math.pi * done))
        for group in optimizer.param_groups:
            group["lr"] = now
        batch = queue.get()
        loss = training_loss(network, batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimizer.step()
        average.update_parameters(network)
        boxes += len(batch.texts)
        losses += (loss.item() - losses) * 0.01
        if int(done * minutes) > written:
            written = int(done * minutes)
            print(f"{written} min, {boxes} boxes, loss {losses:.3f}, {queue.qsize()} waiting", flush=True)
            save(average.module, out)
            torch.save(average.module.state_dict(), out.with_suffix(".pt"))
    save(average.module, out)
    torch.save(average.module.state_dict(), out.with_suffix(".pt"))
    print(f"{minutes:g} minutes, {boxes} boxes, loss {losses:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="what an earlier training wrote beside its weights (.pt)")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    train(asked.file, asked.out, minutes=asked.minutes, seed=asked.seed, start=asked.start, rate=asked.rate)


if __name__ == "__main__":
    main()
